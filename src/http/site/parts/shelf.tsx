type ShelfItem = {
  readonly href: string;
  readonly title: string;
  readonly publisher: string;
  /** As it is shown: a price, or "Free". */
  readonly price: string;
  /** The URL of the cover: 2:3, or square for a skill. */
  readonly cover: string;
  readonly isSquare: boolean;
};

/** A grid of items with their covers; only the first row is loaded at once. */
export function Shelf({ items }: { items: readonly ShelfItem[] }) {
  return (
    <ul class="shelf">
      {items.map(({ href, title, publisher, price, cover, isSquare }, index) => (
        <li class="card" key={href}>
          <img
            class="cover"
            src={cover}
            alt=""
            width={400}
            height={isSquare ? 400 : 600}
            loading={index < FIRST_ROW ? undefined : 'lazy'}
          />
          <div>
            <h2>
              <a href={href}>{title}</a>
            </h2>
            <p class="publisher">{publisher}</p>
            <p class="price">{price}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const FIRST_ROW = 6;
