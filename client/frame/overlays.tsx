import * as RadixToast from '@radix-ui/react-toast'
import * as RadixTooltip from '@radix-ui/react-tooltip'
import { type ComponentPropsWithRef, type FocusEvent, type ReactElement, useRef } from 'react'
import { Icon } from '../components/icon.tsx'
import { useSite } from './site-provider.tsx'
import { type ShownToast, SWIPE_THRESHOLD_PX, TOAST_MS, toasts } from './toasts.ts'

/** Give each toast a new key: in one provider, all toasts after one closed by its button stay open (Radix issue 2268). */
export function LoadedToastRegion({ toast }: { toast?: ShownToast }) {
  const { notifications } = useSite().texts.contact
  /** Had the focus before the toast. */
  const before = useRef<EventTarget>(null)
  const item = useRef<HTMLLIElement>(null)

  const remember = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // Radix adds elements around the list that pass the focus on.
    if (!currentTarget.parentElement?.contains(relatedTarget)) before.current = relatedTarget
  }
  const close = () => {
    const hasFocus = item.current?.parentElement?.contains(document.activeElement)
    if (hasFocus && before.current instanceof HTMLElement) before.current.focus()
    toasts.dismiss()
  }
  return (
    <RadixToast.Provider
      label={notifications.notification}
      duration={TOAST_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      {toast && (
        <RadixToast.Root
          ref={item}
          className="toast"
          data-variant={toast.subject === 'sent' ? 'default' : 'destructive'}
          open={toast.open}
          onOpenChange={(open) => open || close()}
          // A press gives it no focus, which would keep it open.
          onMouseDown={(event) => event.preventDefault()}
        >
          <RadixToast.Title className="toast-title">{toast.title}</RadixToast.Title>
          {/* This space separates the title and the description when Radix announces them. */}{' '}
          <RadixToast.Description>{toast.description}</RadixToast.Description>
          <RadixToast.Close className="close" aria-label={notifications.close}>
            <Icon name="close" />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport
        className="toasts"
        hotkey={['F8']}
        label={notifications.viewport}
        onFocus={remember}
      />
    </RadixToast.Provider>
  )
}

const TOOLTIP_DELAY_MS = 700
/** A tooltip that closed less than this time ago opens again at once. */
const TOOLTIP_SKIP_DELAY_MS = 300

interface TooltipProps {
  text: string
  children: ReactElement<ComponentPropsWithRef<'button'>>
}

/**
 * A tooltip does not open on touch, so the control needs a label. The site has one tooltip; to skip the delay, a second
 * one would have to share its provider.
 */
export function LoadedTooltip({ text, children }: TooltipProps) {
  const { nextLanguage } = useSite()
  return (
    <RadixTooltip.Provider
      delayDuration={TOOLTIP_DELAY_MS}
      skipDelayDuration={TOOLTIP_SKIP_DELAY_MS}
    >
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Content
          className="tooltip"
          aria-hidden="true"
          sideOffset={10}
          collisionPadding={16}
          lang={nextLanguage}
        >
          <span>{text}</span>
        </RadixTooltip.Content>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  )
}
