package dev.kudu4j.master.tables;

import dev.kudu4j.common.time.TimeSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What the work on tables needs from the process around it.
 *
 * @param time of the catalog's records
 * @param worker runs one thing at a time; may block for as long as the catalog's store writes
 */
public record TablesEnvironment(
    TabletServerCalls calls,
    RandomGenerator random,
    TimeSource time,
    Delays delays,
    Executor worker) {}
