/**
 * Decimals of currencies that don't have two. The build stores this data, since the first use of Intl takes as long
 * as a request.
 */
export const UNUSUAL_DIGITS: Readonly<Record<string, number>> = Object.fromEntries(
  Intl.supportedValuesOf('currency').flatMap((currency) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    const digits = format.resolvedOptions().minimumFractionDigits ?? 2
    return digits === 2 ? [] : [[currency, digits]]
  }),
)
