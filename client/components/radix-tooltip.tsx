import * as Radix from '@radix-ui/react-tooltip'
import { type ComponentPropsWithRef, type PointerEvent, type ReactElement, useState } from 'react'
import { type Language, LOCALES } from '../../shared/language.ts'

const DELAY_MS = 700
const SKIP_DELAY_MS = 300

export interface TooltipProps {
  text: string
  /** Set when the text is in another language than the page. */
  language?: Language
  children: ReactElement<ComponentPropsWithRef<'button'>>
}

/** While a tooltip is open, and SKIP_DELAY_MS afterwards, the next one opens at once. In ms since the page opened. */
let delayReturnsAt = 0

/**
 * A tooltip does not open on touch, so the control needs a label. Radix skips delays only below one provider, which would
 * have to be around the page before this code is loaded: here each tooltip has its own, and this module skips them.
 */
export function RadixTooltip({ text, language, children }: TooltipProps) {
  const [isOpen, setOpen] = useState(false)
  const change = (opens: boolean) => {
    delayReturnsAt = opens ? Number.POSITIVE_INFINITY : performance.now() + SKIP_DELAY_MS
    setOpen(opens)
  }
  const skipDelay = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch' && performance.now() < delayReturnsAt) change(true)
  }
  return (
    <Radix.Provider delayDuration={DELAY_MS} skipDelayDuration={0}>
      <Radix.Root open={isOpen} onOpenChange={change}>
        {/* Not onPointerEnter, which LanguageButton uses. */}
        <Radix.Trigger asChild onPointerOver={skipDelay}>
          {children}
        </Radix.Trigger>
        <Radix.Content
          className="tooltip"
          sideOffset={10}
          collisionPadding={16}
          lang={language && LOCALES[language]}
        >
          <span>{text}</span>
        </Radix.Content>
      </Radix.Root>
    </Radix.Provider>
  )
}
