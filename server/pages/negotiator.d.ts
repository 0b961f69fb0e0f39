/** Types of the part that encoding.ts uses; the package has none. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> })
    encodings<Name extends string>(
      available: readonly Name[],
      options: { preferred: readonly string[] },
    ): Name[]
  }
}
