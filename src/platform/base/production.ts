// Must be the first import of the program: Elysia reads NODE_ENV when it is loaded, and otherwise runs in development mode.
Bun.env.NODE_ENV = 'production';
