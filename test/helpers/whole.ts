/** `RMA_TESTS=whole`: the tests that take minutes at the size they are about run at that size, not at a part of it. */
export const isWhole = process.env.RMA_TESTS === 'whole'
