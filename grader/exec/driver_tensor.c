/* Tensor maps, which describe tensors in global memory for bulk copies. */
#include "exec/driver.h"
#include "sim/tile.h"
#include <string.h>

enum { MAX_BOX = 256, MAX_STEP = 8, MAP_ALIGN = 64 };

/* Returns why the driver rejects the map, or NULL. `row` is the number of bytes of the box in the first dimension. */
static const char *wrong_map(const struct sim_tensor_map *m, const CUtensorMap *out, uint64_t row) {
    if ((uintptr_t)out % MAP_ALIGN) return "The CUtensorMap itself must be aligned to 64 bytes.";
    if (m->address % SIM_TILE_GRAIN) return "The tensor's address must be a multiple of 16 bytes.";
    if (!cudart_is_device((const void *)(uintptr_t)m->address) &&
        !cudart_is_shared((const void *)(uintptr_t)m->address))
        return "The tensor must be in memory that the device can access, not in ordinary host memory.";
    for (unsigned d = 0; d < m->rank; d++) {
        if (!m->size[d] || m->size[d] > UINT64_C(1) << 32) return "A dimension of the tensor must be from 1 to 2^32.";
        if (!m->box[d] || m->box[d] > MAX_BOX) return "A dimension of the box must be from 1 to 256.";
        if (!m->step[d] || m->step[d] > MAX_STEP) return "An element stride must be from 1 to 8.";
        if (d && (m->stride[d] % SIM_TILE_GRAIN || m->stride[d] >> 40))
            return "A stride must be a multiple of 16 bytes and less than 2^40.";
    }
    if (row % SIM_TILE_GRAIN) return "The box's first dimension must be a multiple of 16 bytes.";
    if (m->swizzle && row > 16u << m->swizzle)
        return "The box's first dimension must not be longer than the swizzle: 32, 64 or 128 bytes.";
    return NULL;
}
/* Returns why the simulator does not support the map, or NULL. */
static const char *missing_map(CUtensorMapDataType type, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                               CUtensorMapFloatOOBfill fill, uint64_t row) {
    if (type > CU_TENSOR_MAP_DATA_TYPE_BFLOAT16)
        return "This element type is not supported in tensor maps by the simulator.";
    if (interleave) return "Interleaved tensors are not supported by the simulator.";
    if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return "This swizzle is not supported by the simulator.";
    if (fill) return "Filling elements outside the tensor with NaN is not supported by the simulator.";
    if (swizzle && row < 16u << swizzle)
        return "A box whose first dimension is shorter than the swizzle is not supported by the simulator.";
    return NULL;
}
CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                const cuuint32_t *step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    static const char name[] = "cuTensorMapEncodeTiled";
    struct sim_tensor_map m = {
        .magic = SIM_TENSOR_MAGIC, .address = (uint64_t)(uintptr_t)address, .rank = (uint8_t)rank};
    if (!out || !size || !box || !step || rank < 1 || rank > SIM_TENSOR_RANK || !stride) {
        cudart_refuse(name, cudaErrorInvalidValue,
                      "A tensor has 1 to 5 dimensions, and no pointer may be NULL, not even the pointer to the "
                      "strides of a one-dimensional tensor.");
        return CUDA_ERROR_INVALID_VALUE;
    }
    m.type = (uint8_t)type, m.swizzle = (uint8_t)swizzle;
    m.stride[0] = sim_element_bytes(type);
    for (unsigned d = 0; d < rank; d++) {
        m.size[d] = size[d], m.box[d] = box[d] > MAX_BOX ? 0 : (uint16_t)box[d];
        /* The step of the first dimension is ignored. */
        m.step[d] = !d ? 1 : step[d] > MAX_STEP ? 0 : (uint8_t)step[d];
        if (d) m.stride[d] = stride[d - 1];
    }
    const uint64_t row = m.stride[0] * m.box[0];
    const char *missing = missing_map(type, interleave, swizzle, fill, row), *wrong = wrong_map(&m, out, row);
    if (missing || wrong) {
        cudart_refuse(name, missing ? cudaErrorNotSupported : cudaErrorInvalidValue, missing ? missing : wrong);
        return missing ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(out, &m, sizeof m);
    return CUDA_SUCCESS;
}
_Static_assert(sizeof(CUtensorMap) == SIM_TENSOR_MAP, "a tensor map is 128 bytes");
