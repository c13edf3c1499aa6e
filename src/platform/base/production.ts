// This is the first import of the program: Elysia reads NODE_ENV when it is loaded, and without it would run in development
// mode.
Bun.env.NODE_ENV = 'production';
