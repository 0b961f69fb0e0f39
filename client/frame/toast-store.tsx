import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from '../components/icon.tsx'
import { useSite } from './site-context.ts'
import type { Toast } from './toast.tsx'

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
    dismiss(id?: number) {
      if (!shown || shown.id !== id) return
      set({ ...shown, open: false })
      setTimeout(() => shown?.id === id && set(), REMOVE_DELAY_MS)
    },
  }
}

export const toasts = createToasts()

/** After a failure, a new call tries again, unless the browser cached the failure. */
export const loadToasts = () => import('./toast.tsx')

/** Shows a toast by the library or, if its code cannot be loaded, for example without a connection, a plain one. */
export function ToastOutlet() {
  const { close } = useSite().texts.notifications
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  const [loaded, setLoaded] = useState<typeof import('./toast.tsx') | 'failed'>()
  useEffect(() => {
    if (shown) loadToasts().then(setLoaded, () => setLoaded('failed'))
  }, [shown])
  if (!loaded || !shown) return null
  if (loaded !== 'failed')
    return <loaded.ToastView key={shown.id} toast={shown} onDismiss={toasts.dismiss} />
  if (!shown.open) return null
  return (
    <div className="toasts">
      <div className="toast" data-variant={shown.variant} role="alert">
        {/* On a small screen, both are on one line. */}
        <span className="toast-title">{shown.title}</span> <span>{shown.description}</span>
        <button
          className="close"
          type="button"
          aria-label={close}
          onClick={() => toasts.dismiss(shown.id)}
        >
          <Icon name="close" />
        </button>
      </div>
    </div>
  )
}
