// Includes the solution, from where reduce.cu would lie in the kit.
#include "../../solutions/lab1_interleaved_tree/reduce.cu"
