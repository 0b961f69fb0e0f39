import * as Radix from '@radix-ui/react-toast'
import { type FocusEvent, useRef } from 'react'
import { Icon } from '../components/icon.tsx'
import { useSite } from './site-context.ts'

const DURATION_MS = 5000
const SWIPE_THRESHOLD_PX = 50

export interface Toast {
  id: number
  open: boolean
  variant: 'default' | 'destructive'
  title: string
  description: string
}

interface ToastProps {
  toast: Toast
  onDismiss: (id: number) => void
}

/** Has its own provider: in a shared one, all toasts after one closed by its button stay open (Radix issue 2268). */
export function ToastView({ toast, onDismiss }: ToastProps) {
  const { notifications } = useSite().texts
  /** Had the focus before the toast. */
  const before = useRef<EventTarget>(null)
  const item = useRef<HTMLLIElement>(null)

  const remember = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // Radix adds elements around the list that pass the focus on.
    if (!currentTarget.parentElement?.contains(relatedTarget)) before.current = relatedTarget
  }
  const close = (open: boolean) => {
    if (open) return
    const hasFocus = item.current?.parentElement?.contains(document.activeElement)
    if (hasFocus && before.current instanceof HTMLElement) before.current.focus()
    onDismiss(toast.id)
  }
  return (
    <Radix.Provider
      label={notifications.notification}
      duration={DURATION_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      <Radix.Root
        ref={item}
        className="toast"
        data-variant={toast.variant}
        open={toast.open}
        onOpenChange={close}
      >
        <Radix.Title className="toast-title">{toast.title}</Radix.Title>
        {/* This space separates the title and the description when Radix announces them. */}{' '}
        <Radix.Description>{toast.description}</Radix.Description>
        <Radix.Close className="close" aria-label={notifications.close}>
          <Icon name="close" />
        </Radix.Close>
      </Radix.Root>
      <Radix.Viewport
        className="toasts"
        hotkey={['F8']}
        label={notifications.viewport}
        onFocus={remember}
      />
    </Radix.Provider>
  )
}
