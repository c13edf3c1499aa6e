/** The stall's icon as SVG: an awning of five stripes over a table, in the awning's colour `#rrggbb`. */
export function drawIcon(awning: string): string {
  const stripes = [0, 1, 2, 3, 4].map((index) => {
    const left = 2 + index * 5.6;
    const colour = index % 2 === 0 ? awning : '#fbf8f2';
    return `<path fill="${colour}" d="M${left} 4h5.6v11a2.8 2.8 0 0 1-5.6 0z"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${stripes.join('')}<path fill="${awning}" d="M4 24h24v4H4z"/></svg>\n`;
}
