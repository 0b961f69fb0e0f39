declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat?: 'sfnt' | 'woff' | 'woff2'
    /** All where it is missing. */
    keepFeatures?: readonly string[]
    /** A value pins the axis. */
    variationAxes?: Record<string, number | { min: number; max: number }>
  }

  /** A font with the characters of a text alone. Rejects on what is no font. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options?: SubsetOptions,
  ): Promise<Uint8Array>
}
