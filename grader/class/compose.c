/* Composes letters and accents (class.h: text_compose()). macOS and some archives store the letters and the accents of
 * a file's name separately. The pairs are from UnicodeData.txt of the Unicode Character Database. */
#include "class/class.h"
#include <stdint.h>
#include <string.h>

/* Each mark with the letters that it composes: a letter, then the letter with the mark, and so on. */
static const struct {
    const char *mark, *pairs;
} rows[] = {
    {"\u0300", "AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹЕЀИЍеѐиѝĒḔēḕŌṐōṑWẀwẁÂẦâầĂẰăằÊỀêềÔỒ"
               "ôồƠỜơờƯỪưừYỲyỳ"},
    {"\u0301", "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿ¨΅ΑΆΕΈ"
               "ΗΉΙΊΟΌΥΎΩΏϊΐαάεέηήιίϋΰοόυύωώϒϓГЃКЌгѓкќÇḈçḉĒḖēḗÏḮïḯKḰkḱMḾmḿ"
               "ÕṌõṍŌṒōṓPṔpṕŨṸũṹWẂwẃÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứ"},
    {"\u0302", "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑẠẬạậẸỆẹệỌỘọộ"},
    {"\u0303", "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"},
    {"\u0304", "AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖÄǞäǟȦǠȧǡÆǢæǣǪǬǫǭÖȪöȫÕȬõȭȮȰȯȱYȲyȳИӢиӣУӮуӯGḠgḡ"
               "ḶḸḷḹṚṜṛṝ"},
    {"\u0306", "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўЖӁжӂАӐаӑЕӖеӗȨḜȩḝẠẶạặ"},
    {"\u0307", "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡŚṤśṥ"
               "ŠṦšṧṢṨṣṩTṪtṫWẆwẇXẊxẋYẎyẏſẛ"},
    {"\u0308", "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋϒϔЕЁІЇеёіїАӒаӓӘӚәӛЖӜжӝЗӞзӟИӤиӥОӦоӧӨӪ"
               "өӫЭӬэӭУӰуӱЧӴчӵЫӸыӹHḦhḧÕṎõṏŪṺūṻWẄwẅXẌxẍtẗ"},
    {"\u0309", "AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ"},
    {"\u030a", "AÅaåUŮuůwẘyẙ"},
    {"\u030b", "OŐoőUŰuűУӲуӳ"},
    {"\u030c", "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩƷǮʒǯjǰHȞhȟ"},
    {"\u030f", "AȀaȁEȄeȅIȈiȉOȌoȍRȐrȑUȔuȕѴѶѵѷ"},
    {"\u0311", "AȂaȃEȆeȇIȊiȋOȎoȏRȒrȓUȖuȗ"},
    {"\u031b", "OƠoơUƯuư"},
    {"\u0323", "BḄbḅDḌdḍHḤhḥKḲkḳLḶlḷMṂmṃNṆnṇRṚrṛSṢsṣTṬtṭVṾvṿWẈwẉZẒzẓAẠaạEẸeẹIỊ"
               "iịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ"},
    {"\u0324", "UṲuṳ"},
    {"\u0325", "AḀaḁ"},
    {"\u0326", "SȘsșTȚtț"},
    {"\u0327", "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ"},
    {"\u0328", "AĄaąEĘeęIĮiįUŲuųOǪoǫ"},
    {"\u032d", "DḒdḓEḘeḙLḼlḽNṊnṋTṰtṱUṶuṷ"},
    {"\u032e", "HḪhḫ"},
    {"\u0330", "EḚeḛIḬiḭUṴuṵ"},
    {"\u0331", "BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ"},
    {"\u3099", "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼ"
               "うゔゝゞカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブ"
               "ヘベホボウヴワヷヰヸヱヹヲヺヽヾ"},
    {"\u309a", "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"},
};
enum { SHORTEST = 2, MARK = 3 }; /* sizes of marks in bytes */

/* Returns the size in bytes of the UTF-8 character at `s`, or 1 for any other byte. */
static size_t size_of(const char *s) {
    const unsigned char c = (unsigned char)*s;
    const size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    for (size_t k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80) return 1;
    return n;
}
/* Returns the letter with the mark, or NULL. Sets *size to its size in bytes. */
static const char *with_mark(const char *letter, size_t length, const char *mark, size_t *size) {
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strlen(rows[k].mark) != *size || strncmp(rows[k].mark, mark, *size) != 0) continue;
        for (const char *s = rows[k].pairs; *s;) {
            const char *both = s + size_of(s);
            if (length == (size_t)(both - s) && !memcmp(s, letter, length)) return *size = size_of(both), both;
            s = both + size_of(both);
        }
    }
    return NULL;
}
/* Hangul: a syllable is 0xac00 + (28 * 21 * first + 28 * vowel + last). Returns the code of the syllable, or 0. */
static unsigned syllable(unsigned before, unsigned code) {
    enum { FIRST = 0x1100, VOWEL = 0x1161, LAST = 0x11a7, SYLLABLE = 0xac00, VOWELS = 21, LASTS = 28, FIRSTS = 19 };
    if (before - FIRST < FIRSTS && code - VOWEL < VOWELS)
        return SYLLABLE + ((before - FIRST) * VOWELS + (code - VOWEL)) * LASTS;
    const unsigned place = before - SYLLABLE;
    return place < FIRSTS * VOWELS * LASTS && !(place % LASTS) && code - LAST - 1 < LASTS - 1 ? before + code - LAST
                                                                                              : 0;
}
static unsigned code_of(const char *s, size_t size) {
    if (size != MARK) return 0;
    return (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
}
void text_compose(char *text) {
    char *out = text, *last = text; /* last: the last character written */
    for (const char *s = text; *s;) {
        const size_t n = size_of(s);
        size_t size = n;
        const size_t length = (size_t)(out - last);
        const char *both = n >= SHORTEST && n <= MARK && out > text ? with_mark(last, length, s, &size) : NULL;
        const unsigned code = n == MARK && length == MARK ? syllable(code_of(last, length), code_of(s, n)) : 0;
        char hangul[] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)), (char)(0x80 | (code & 0x3f))};
        if (code) both = hangul, size = MARK;
        if (!both) last = out;
        memmove(last, both ? both : s, size);
        out = last + size, s += n;
    }
    *out = 0;
}
