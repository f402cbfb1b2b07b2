package dev.kudu4j.tools.local;

/**
 * The state of one server.
 *
 * @param name such as {@code tserver 0}
 * @param state such as {@code running}; for people
 * @param isHealthy whether it is fully functional
 * @param tablets number of its replicas; -1 if unknown
 * @param memoryBytes memory of its rows and pages; -1 if unknown
 * @param rpc address
 * @param web address, or empty
 */
record ServerReport(
    String name,
    String state,
    boolean isHealthy,
    int tablets,
    long memoryBytes,
    String rpc,
    String web) {}
