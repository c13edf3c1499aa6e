import { expect, test } from 'bun:test';
import { createBodyRoom } from '../../src/http/body.ts';
import { messageOf } from '../../src/refusal.ts';

const open = (most: number) => createBodyRoom(most, () => new Error('given away'));

test('bodies fit until there is no room, and again once one has left', () => {
  const room = open(10);
  const first = room.enter('ada', 6);
  expect(room.enter('ada', 4)).not.toBeNull();
  expect(room.enter('ada', 1)).toBeNull();
  first?.leave();
  first?.leave();
  expect(room.enter('ada', 7)).toBeNull();
  expect(room.enter('ada', 6)).not.toBeNull();
});

test('the client that holds the most gives up its oldest bodies, and as few as are needed', async () => {
  const room = open(10);
  const places = [room.enter('ada', 3), room.enter('bob', 2), room.enter('ada', 3), room.enter('ada', 2)];
  expect(room.enter('cy', 3)).not.toBeNull();
  expect(await places[0]?.lost.catch(messageOf)).toBe('given away');
  expect(room.enter('cy', 1)).not.toBeNull();
  expect(await places[2]?.lost.catch(messageOf)).toBe('given away');
  const others = [places[1], places[3]].map((place) => place?.lost.catch(messageOf));
  expect(await Promise.race([...others, Promise.resolve('kept')])).toBe('kept');
});

test('who holds as much as any other gets no more, and one with less does', () => {
  const room = open(4);
  for (const client of ['ada', 'bob', 'cy', 'dee']) expect(room.enter(client, 1)).not.toBeNull();
  expect(room.enter('ada', 1)).toBeNull();
  expect(room.enter('eve', 1)).not.toBeNull();
});

test('a body that lost its room gives nothing back by leaving', () => {
  const room = open(2);
  const first = room.enter('ada', 2);
  expect(room.enter('bob', 2)).not.toBeNull();
  first?.leave();
  expect(room.enter('bob', 1)).toBeNull();
});
