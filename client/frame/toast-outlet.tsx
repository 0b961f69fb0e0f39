import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Toaster } from './toaster.tsx'
import { toasts } from './toasts.ts'

/** Fetches the code of toasts. Rejects when that fails, and tries anew when it is called again. */
export const loadToaster = () => import('./toaster.tsx')

/** Nothing, until there is a toast to show and the code to show it; what it says stands in the page too. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  const [loaded, setLoaded] = useState<{ Toaster: typeof Toaster }>()
  useEffect(() => {
    if (shown.length > 0) loadToaster().then(setLoaded, () => {})
  }, [shown])
  return loaded && <loaded.Toaster toasts={shown} />
}
