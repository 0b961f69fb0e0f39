import { RELOAD_KEY } from '../shared/constants.ts'

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
    sessionStorage.removeItem(RELOAD_KEY)
  } catch {
    // It may be forbidden.
  }
}

/** Whether the address was not the one noted; where that cannot be said, it was. */
function remember(address: string): boolean {
  try {
    const fresh = sessionStorage.getItem(RELOAD_KEY) !== address
    sessionStorage.setItem(RELOAD_KEY, address)
    return fresh
  } catch {
    return false
  }
}
