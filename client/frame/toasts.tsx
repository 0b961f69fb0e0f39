import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Toast } from './toaster.tsx'

const REMOVE_DELAY_MS = 1_000_000

/** A new toast replaces the one before. A dismissed toast closes at once; `get` returns it for REMOVE_DELAY_MS more. */
export function createToasts() {
  let shown: Toast | undefined
  let lastId = 0
  const listeners = new Set<() => void>()
  const set = (next?: Toast) => {
    shown = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(texts: Omit<Toast, 'id' | 'open'>) {
      lastId += 1
      set({ ...texts, id: lastId, open: true })
    },
    dismiss(id: number) {
      if (shown?.id !== id) return
      set({ ...shown, open: false })
      setTimeout(() => shown?.id === id && set(), REMOVE_DELAY_MS)
    },
  }
}

export const toasts = createToasts()

/** After a failure, a new call tries again, unless the browser cached the failure. */
export const loadToaster = () => import('./toaster.tsx')

/** If the code cannot be loaded, the contact page still has the text of the toast. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  const [loaded, setLoaded] = useState<typeof import('./toaster.tsx')>()
  useEffect(() => {
    if (shown) loadToaster().then(setLoaded, () => {})
  }, [shown])
  if (!loaded || !shown) return null
  return <loaded.Toaster key={shown.id} toast={shown} onDismiss={toasts.dismiss} />
}
