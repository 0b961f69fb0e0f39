/** Returns undefined if the action throws: a browser may lack what it uses, or refuse it, as in a sandboxed frame. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
