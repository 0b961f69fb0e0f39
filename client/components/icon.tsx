/** An icon from Lucide; client/index.html holds the paths. */
export function Icon({ name }: { name: 'menu' | 'close' | 'chevron' | 'external' | 'spinner' }) {
  return (
    <svg className={`icon icon-${name}`} aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  )
}
