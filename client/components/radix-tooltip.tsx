import * as Radix from '@radix-ui/react-tooltip'
import type { ComponentPropsWithRef, ReactElement } from 'react'
import { type Language, LOCALES } from '../../shared/language.ts'

const DELAY_MS = 700
const SKIP_DELAY_MS = 300

export interface TooltipProps {
  text: string
  /** Set when the text is in another language than the page. */
  language?: Language
  children: ReactElement<ComponentPropsWithRef<'button'>>
}

/** A tooltip does not open on touch, so the control needs a label. */
export function RadixTooltip({ text, language, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
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
