/** Types for the part of this package that encoding.ts uses. The package itself contains no types. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> })
    encodings<Name extends string>(
      available: readonly Name[],
      options: { preferred: readonly string[] },
    ): Name[]
  }
}
