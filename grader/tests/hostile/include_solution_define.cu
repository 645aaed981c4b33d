// Includes the solution by a computed name, and defines the macro that enables the solution's part.
#define SOLUTION
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#include TEXT(../solutions/lab1_interleaved_tree/reduce.cu)
