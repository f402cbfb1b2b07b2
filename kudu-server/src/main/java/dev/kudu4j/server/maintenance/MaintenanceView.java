package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import java.util.List;

/**
 * A snapshot of the scheduler's state.
 *
 * @param nowNanos the time of the snapshot, on the clock of the runs
 * @param recent newest first
 * @param candidates most urgent first; without those of tablets on which an op is running
 */
record MaintenanceView(
    long nowNanos, List<Run> running, List<Run> recent, List<CandidateOp> candidates) {}
