/* A part of check_web.c: tests the page's step player. */
#ifndef TESTS_PLAYED_PAGE_H
#define TESTS_PLAYED_PAGE_H

/* Writes the name of the cell that a move writes, such as "s[3]". Returns false if the move writes none. */
static bool written_cell(const json_t *player, const json_t *move, char *out, size_t size) {
    const json_t *write = json_object_get(move, "write");
    const json_t *array =
        json_array_get(json_object_get(player, "arrays"), (size_t)json_integer_value(json_array_get(write, 0)));
    snprintf(out, size, "%s[%lld]", text_of(array, "name"), (long long)json_integer_value(json_array_get(write, 1)));
    return write != NULL;
}
/* Plays all steps with the button. After each step, every cell that the step wrote must show the value in the
 * record. After the last step, one of these cells must show the kernel's result. */
START_TEST(player_plays_to_the_result) {
    const struct page *p = &pages[_i];
    json_t *record = record_of(p), *player = json_object_get(json_object_get(record, "pictures"), "player"), *step,
           *move;
    char cell[100];
    bool arrived = false;
    size_t k, m;
    ck_assert_msg(json_array_size(json_object_get(player, "steps")) > 1, "%s: no steps to play", p->name);
    open_page(p->name);
    json_t *all = ask("return playedCells();");
    ck_assert_uint_eq(json_array_size(all), json_array_size(json_object_get(player, "steps")));
    json_array_foreach(json_object_get(player, "steps"), k, step) {
        json_t *shown = json_array_get(all, k), *wanted = json_object();
        json_array_foreach(json_object_get(step, "moves"), m, move) if (written_cell(player, move, cell, sizeof cell))
            json_object_set(wanted, cell, json_object_get(move, "value"));
        arrived = false;
        const char *key;
        json_t *value;
        json_object_foreach(wanted, key, value) {
            ck_assert_msg(json_equal(json_object_get(shown, key), value), "%s, step %zu: %s shows %s, not %s", p->name,
                          k, key, text_of(shown, key), json_string_value(value));
            arrived |= !strcmp(text_of(shown, key), text_of(player, "result"));
        }
        json_decref(wanted);
    }
    ck_assert_msg(arrived, "%s: the last step does not show the result %s", p->name, text_of(player, "result"));
    expect_none("return window.wideCells || '';", p->name);
    expect_true(
        "const o = document.querySelector('.outcome'); return !o.hidden && o.textContent.startsWith('Result: ');");
    ask("document.querySelector('.player').focus();");
    press(KEY_HOME);
    expect_true("return document.querySelector('.player input').value === '0';");
    expect_quiet_console(p->name);
    json_decref(all);
    json_decref(record);
}
END_TEST
START_TEST(player_obeys_buttons_and_keys) {
    open_page("race");
    ask("document.querySelector('.player').focus();");
    press(KEY_HOME);
    press(KEY_TAB);
    expect_text("return document.activeElement.textContent;", "Play");
    expect_true("return getComputedStyle(document.activeElement).outlineStyle === 'solid';");
    press(" ");
    expect_text("return document.activeElement.textContent;", "Pause");
    expect_true("return document.querySelector('.player input').value === '1';");
    press(" ");
    expect_text("return document.activeElement.textContent;", "Play");
    ask("document.querySelector('.player').focus();");
    press(KEY_END);
    expect_true("const s = document.querySelector('.player input'); return s.value === s.max;");
    press(KEY_LEFT);
    expect_true("const s = document.querySelector('.player input'); return Number(s.value) === Number(s.max) - 1;");
    press(KEY_RIGHT);
    expect_true("const s = document.querySelector('.player input'); return s.value === s.max;");
    expect_true("const rows = document.querySelectorAll('.tree .row'); rows[1].dispatchEvent(new MouseEvent('click')); "
                "return document.querySelector('.player input').value === '2';");
    expect_true("const t = document.querySelector('.saying').textContent; return t.startsWith('Step 1: ');");
}
END_TEST
/* With animation, values move along the lines. */
START_TEST(player_moves_values) {
    open_page("race");
    ask("document.querySelector('.player').focus();");
    press(KEY_HOME);
    driver_media(&driver, "light", "no-preference");
    expect_true("document.querySelectorAll('.player .controls button')[2].click(); return new Promise((done) => "
                "setTimeout(() => done(document.querySelectorAll('.chips > g').length > 10), 100));");
    driver_media(&driver, "light", "reduce");
}
END_TEST

#endif
