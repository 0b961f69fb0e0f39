export interface Toast {
  id: number
  open: boolean
  variant: 'default' | 'destructive'
  title: string
  description: string
}

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
    dismiss() {
      if (!shown?.open) return
      const closed = { ...shown, open: false }
      set(closed)
      setTimeout(() => shown === closed && set(), REMOVE_DELAY_MS)
    },
  }
}

export type Toasts = ReturnType<typeof createToasts>
