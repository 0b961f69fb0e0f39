/** Returns undefined if the action throws: a browser may lack a function that the action calls, or refuse the call. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
