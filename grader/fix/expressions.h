/* The expressions of a function, parsed according to the precedence of C's operators. */
#ifndef FIX_EXPRESSIONS_H
#define FIX_EXPRESSIONS_H

#include "fix/source.h"

enum expression_kind {
    EXPRESSION_NAME, /* a name with its members, such as i or blockIdx.x */
    EXPRESSION_NUMBER,
    EXPRESSION_ELEMENT, /* a[i] */
    EXPRESSION_CALL,    /* also i++ and i--, which have an effect like a call */
    EXPRESSION_GROUP,   /* in parentheses */
    EXPRESSION_PREFIX,  /* !x, -x, *p, &x, (T)x */
    EXPRESSION_BINARY,
    EXPRESSION_CHOICE, /* a ? b : c; right: c */
    EXPRESSION_ASSIGNMENT
};
struct expression {
    enum expression_kind kind;
    struct range all;
    int32_t sign;        /* the operator of a binary expression, a choice or an assignment; otherwise -1 */
    int32_t level;       /* precedence of a binary operator (higher: binds tighter); otherwise 0 */
    int32_t left, right; /* indices of the operands, or -1; left: also the content of a group or prefix */
    int32_t around;      /* index of the expression with this one as an operand, or -1 */
};
enum { MAX_EXPRESSIONS = 600 };
struct expressions {
    struct expression item[MAX_EXPRESSIONS];
    int32_t count;
};
/* Parses the expressions in the function's statements. Inner expressions come before those around them. Skips unknown
 * syntax, such as initializers in braces. */
void expressions_of(const struct source *s, int32_t function, struct expressions *out);

#endif
