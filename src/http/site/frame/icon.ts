/** The stall's icon as SVG: an awning of five stripes over a table, in the awning's colour `#rrggbb`. */
export function drawIcon(awning: string): string {
  const stripes = [0, 1, 2, 3, 4].map((index) => {
    const left = 1 + index * 6;
    const colour = index % 2 === 0 ? awning : '#fbf8f2';
    return `<path fill="${colour}" d="M${left} 4h6v11a3 3 0 0 1-6 0z"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${stripes.join('')}<path fill="${awning}" d="M4 24h24v4H4z"/></svg>\n`;
}
