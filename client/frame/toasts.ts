import { TOAST_LIMIT, TOAST_REMOVE_DELAY } from '../../shared/constants.ts'

export interface ToastTexts {
  variant: 'default' | 'destructive'
  title: string
  description: string
}

export interface Toast extends ToastTexts {
  id: number
  open: boolean
}

/** The toasts of a document: the newest replaces the others; a dismissed one is closed, and removed much later. */
export function createToasts() {
  let shown: readonly Toast[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const set = (next: readonly Toast[]) => {
    shown = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(texts: ToastTexts) {
      lastId += 1
      set([{ ...texts, id: lastId, open: true }, ...shown].slice(0, TOAST_LIMIT))
    },
    dismiss(id: number) {
      set(shown.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
      setTimeout(() => set(shown.filter((toast) => toast.id !== id)), TOAST_REMOVE_DELAY)
    },
  }
}

export const toasts = createToasts()
