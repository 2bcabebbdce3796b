/** True with `RMA_TESTS=whole`: long tests run at full size instead of a reduced one. */
export const isWhole = process.env.RMA_TESTS === 'whole'
