/** Returns undefined if the action throws: a browser may lack a function that it uses, or refuse it in a sandboxed frame. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
