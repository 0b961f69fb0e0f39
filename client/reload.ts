/** Where sessionStorage says for which address the document has been loaded anew. */
const RELOADED = 'reloaded'

/** Where a newer build has removed a chunk, or the line is down: the server has the page, so go there, once. */
export async function reloadOnce<T>(loading: Promise<T>): Promise<T> {
  try {
    const result = await loading
    forget()
    return result
  } catch (error) {
    if (!remember(window.location.href)) throw error
    window.location.reload()
    return new Promise(() => {})
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(RELOADED)
  } catch {
    // It may be forbidden.
  }
}

/** Whether the address was not the one noted; where that cannot be said, it was. */
function remember(address: string): boolean {
  try {
    const fresh = sessionStorage.getItem(RELOADED) !== address
    sessionStorage.setItem(RELOADED, address)
    return fresh
  } catch {
    return false
  }
}
