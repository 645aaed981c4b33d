// Branches through a table, with an index that may be past its end.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    switch (n * 7919 % 64) {
    case 0: partial[0] = data[0]; break;
    case 3: partial[1] = data[0]; break;
    case 6: partial[2] = data[0]; break;
    case 9: partial[3] = data[0]; break;
    case 12: partial[4] = data[0]; break;
    case 15: partial[5] = data[0]; break;
    case 18: partial[6] = data[0]; break;
    case 21: partial[7] = data[0]; break;
    case 24: partial[8] = data[0]; break;
    case 27: partial[9] = data[0]; break;
    case 30: partial[10] = data[0]; break;
    case 33: partial[11] = data[0]; break;
    case 36: partial[12] = data[0]; break;
    case 39: partial[13] = data[0]; break;
    case 42: partial[14] = data[0]; break;
    case 45: partial[15] = data[0]; break;
    case 48: partial[16] = data[0]; break;
    case 51: partial[17] = data[0]; break;
    case 54: partial[18] = data[0]; break;
    case 57: partial[19] = data[0]; break;
    }
}
