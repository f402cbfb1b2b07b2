package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import java.util.List;

/**
 * A snapshot of the scheduler's state.
 *
 * @param nowNanos the time of the snapshot, on the clock of {@link Run#startedAtNanos}
 * @param recent the most recent runs, newest first
 * @param candidates the candidates of tablets on which no op is running, most urgent first
 */
record MaintenanceView(
    long nowNanos, List<Run> running, List<Run> recent, List<CandidateOp> candidates) {}
