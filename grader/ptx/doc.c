#include <stdio.h>
void ptx_document(FILE*f){fputs("x",f);}
