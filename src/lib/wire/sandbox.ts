/** Headers of a sandbox's answers, failed ones too. A live platform sends neither. */

/** Id of the sandbox's data, the same until `reset` or another data file. */
export const SANDBOX_HEADER = 'X-Rma-Sandbox'

/** The sandbox's clock at the time of the answer: ISO 8601 in UTC, to the millisecond. */
export const SANDBOX_TIME_HEADER = 'X-Rma-Sandbox-Time'
