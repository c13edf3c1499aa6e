import { expect, test } from 'bun:test';
import { createBodyRoom } from '../../../src/platform/http/body.ts';
import { messageOf } from '../../../src/platform/base/refusal.ts';

const open = (most: number) => createBodyRoom(most, () => new Error('given away'));

test('bodies fit until there is no room, and again once one has left', () => {
  const room = open(10);
  const first = room('ada', 6);
  room('ada', 4);
  expect(() => room('ada', 1)).toThrow('given away');
  first.leave();
  first.leave();
  expect(() => room('ada', 7)).toThrow('given away');
  room('ada', 6);
});

test('the client that holds the most gives up its oldest bodies, and as few as are needed', async () => {
  const room = open(10);
  const places = [room('ada', 3), room('bob', 2), room('ada', 3), room('ada', 2)];
  room('cy', 3);
  expect(await places[0]?.lost.catch(messageOf)).toBe('given away');
  room('cy', 1);
  expect(await places[2]?.lost.catch(messageOf)).toBe('given away');
  const others = [places[1], places[3]].map((place) => place?.lost.catch(messageOf));
  expect(await Promise.race([...others, Promise.resolve('kept')])).toBe('kept');
});

test('who holds as much as any other gets no more, and one with less does', () => {
  const room = open(4);
  for (const client of ['ada', 'bob', 'cy', 'dee']) room(client, 1);
  expect(() => room('ada', 1)).toThrow('given away');
  room('eve', 1);
});

test('a body that lost its room gives nothing back by leaving', () => {
  const room = open(2);
  const first = room('ada', 2);
  room('bob', 2);
  first.leave();
  expect(() => room('bob', 1)).toThrow('given away');
});
