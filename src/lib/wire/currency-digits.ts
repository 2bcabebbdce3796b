// The build puts the data in the place of this module: the first use of Intl takes as long as a small request.
/** Digits after the point of the currencies that have another number of them than two. */
export const UNUSUAL_DIGITS: Readonly<Record<string, number>> = Object.fromEntries(
  Intl.supportedValuesOf('currency').flatMap((currency) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    const digits = format.resolvedOptions().minimumFractionDigits ?? 2
    return digits === 2 ? [] : [[currency, digits]]
  }),
)
