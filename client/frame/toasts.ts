import type { ContactRefusal } from '../../shared/page-state.ts'

export const TOAST_MS = 5000
/** A dismissed toast is removed after this time, as specified. */
const REMOVE_DELAY_MS = 1_000_000
export const SWIPE_THRESHOLD_PX = 50

export interface Toast {
  id: number
  open: boolean
  /** Becomes words where the toast is shown, in the language of that moment. */
  subject: 'sent' | 'language-failed' | ContactRefusal
}

/** With its words. */
export type ShownToast = Toast & Record<'title' | 'description', string>

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
    show(subject: Toast['subject']) {
      lastId += 1
      set({ subject, id: lastId, open: true })
    },
    dismiss() {
      if (!shown?.open) return
      const closed = { ...shown, open: false }
      set(closed)
      setTimeout(() => shown === closed && set(), REMOVE_DELAY_MS)
    },
  }
}

/** The toasts of this document. Only handlers of events show one, so the server shows none. */
export const toasts = createToasts()
