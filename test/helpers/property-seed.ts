import fc from 'fast-check'

/** Fixed seed for reproducible runs; overridden by `RMA_PROPERTY_SEED=random` or a number. */
const { RMA_PROPERTY_SEED = '20260301' } = process.env

if (RMA_PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(RMA_PROPERTY_SEED) })
