/** `no …`: the visitor has it switched off. */
export const PROFILES = ['default', 'no storage', 'no cookies', 'no script'] as const
export type Profile = (typeof PROFILES)[number]

/** Opens a window with an empty profile. A new engine needs this and no more. */
export type Engine = (profile: Profile) => Promise<Tab>

/** Playwright's page is nearly one. */
export interface Tab {
  version: string
  /** Does not wait for the document. */
  open(address: string): Promise<unknown>
  /** The function must not use anything outside itself. */
  evaluate<Value, Argument>(
    work: string | ((argument: Argument) => Value | Promise<Value>),
    argument?: Argument,
  ): Promise<Value>
  /** A character, or a key by its name in KeyboardEvent. */
  keyboard: { press(key: string): Promise<unknown> }
  mouse: {
    move(x: number, y: number): Promise<unknown>
    click(x: number, y: number): Promise<unknown>
  }
  /** A window may refuse to be as narrow. */
  setViewportSize(size: { width: number; height: number }): Promise<unknown>
  /** As PNG. */
  screenshot(): Promise<Buffer>
  /** Console errors and warnings and uncaught errors; undefined if the engine does not tell. */
  noise?: string[]
  close(): Promise<void>
}
