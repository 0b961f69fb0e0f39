/** After this time without an answer, a file counts as lost. */
const LOAD_TIMEOUT_MS = 8000

/** Rejects if the file has not come in time. */
export const loadInTime = <Value>(file: Promise<Value>): Promise<Value> =>
  Promise.race([
    file,
    new Promise<never>((_, reject) => {
      setTimeout(reject, LOAD_TIMEOUT_MS)
    }),
  ])
