import { RELOAD_KEY } from '../shared/constants.ts'

/** Reloads the document once when a chunk cannot be loaded, for instance because a newer build removed it. */
export async function reloadOnce<T>(loading: Promise<T>): Promise<T> {
  try {
    const result = await loading
    forgetAddress()
    return result
  } catch (error) {
    if (!rememberAddress(window.location.href)) throw error
    window.location.reload()
    return new Promise(() => {})
  }
}

function forgetAddress(): void {
  try {
    sessionStorage.removeItem(RELOAD_KEY)
  } catch {
    // Storage may be blocked.
  }
}

/** True unless this address was already reloaded; false when sessionStorage is blocked. */
function rememberAddress(address: string): boolean {
  try {
    const isNew = sessionStorage.getItem(RELOAD_KEY) !== address
    sessionStorage.setItem(RELOAD_KEY, address)
    return isNew
  } catch {
    return false
  }
}
