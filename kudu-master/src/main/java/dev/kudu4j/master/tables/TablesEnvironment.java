package dev.kudu4j.master.tables;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The services of the process that the work on tables uses.
 *
 * @param time the clock of the catalog's records
 * @param clock at or above the clocks of all servers that have been heard
 * @param worker runs one action at a time; an action may block while the catalog's store writes
 */
public record TablesEnvironment(
    TabletServerCalls calls,
    RandomGenerator random,
    TimeSource time,
    HybridClock clock,
    Delays delays,
    Executor worker) {}
