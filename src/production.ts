// First import of the program: Elysia reads NODE_ENV when it is loaded, and would run in development without it.
Bun.env.NODE_ENV = 'production';
