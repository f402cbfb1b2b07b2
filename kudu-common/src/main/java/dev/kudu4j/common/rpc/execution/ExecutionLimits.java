package dev.kudu4j.common.rpc.execution;

/**
 * Limits of the threads of one service.
 *
 * @param threads maximum number of threads that run calls; idle threads end
 * @param queuedCalls maximum number of calls that wait for a thread
 * @param queuedBytes maximum size of the requests that wait for a thread; a single call is always
 *     admitted
 */
public record ExecutionLimits(int threads, int queuedCalls, long queuedBytes) {}
