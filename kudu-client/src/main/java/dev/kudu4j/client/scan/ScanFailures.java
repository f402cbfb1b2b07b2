package dev.kudu4j.client.scan;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.TabletServerFailure;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** Decides what the failure of a scan call means for the scan. */
public final class ScanFailures {
  private ScanFailures() {}

  /**
   * Whether a scan failed because the server cannot compute aggregates, or not of a sample, no
   * sketches, or not by floating groups.
   */
  public static boolean isAggregationRefused(Throwable failure) {
    Throwable cause = Failures.unwrap(failure);
    return isRefused(cause, TabletServerFeatures.AGGREGATION_VALUE)
        || isRefused(cause, TabletServerFeatures.SAMPLES_VALUE)
        || isRefused(cause, TabletServerFeatures.DISTINCT_SKETCHES_VALUE)
        || isRefused(cause, TabletServerFeatures.FLOATING_GROUPS_VALUE);
  }

  /** Whether the server cannot evaluate the condition. */
  static boolean isConditionRefused(Throwable failure) {
    return isRefused(failure, TabletServerFeatures.CONDITIONS_VALUE)
        || isRefused(failure, TabletServerFeatures.SAMPLES_VALUE)
        || isUnsupported(failure);
  }

  /** Whether a scan failed in a way that the same scan may survive on another replica. */
  public static boolean mayReadAgain(Throwable failure) {
    Throwable cause = Failures.unwrap(failure);
    return isScannerLost(cause) || isTransient(cause);
  }

  /** Whether a scan failed because the server cannot look up rows by a list of their keys. */
  public static boolean isKeysRefused(Throwable failure) {
    return isRefused(Failures.unwrap(failure), TabletServerFeatures.PRIMARY_KEYS_VALUE);
  }

  static boolean isRefused(Throwable failure, int feature) {
    return failure.getCause() instanceof RpcException refused
        && refused.unsupportedFeatures().contains(feature);
  }

  /** Whether the server cannot compute a number of the condition. */
  private static boolean isUnsupported(Throwable failure) {
    return failure instanceof KuduException known && known.code() == StatusCode.NOT_SUPPORTED;
  }

  /** Whether a tablet no longer exists. */
  public static boolean isGone(Throwable failure) {
    return failure instanceof TabletServerFailure told
        ? told.error() == TabletServerErrorPB.Code.TABLET_NOT_FOUND
        : failure instanceof KuduException known && known.code() == StatusCode.NOT_FOUND;
  }

  static boolean isScannerLost(Throwable failure) {
    if (!(failure instanceof TabletServerFailure told)) {
      return false;
    }
    return switch (told.error()) {
      case SCANNER_EXPIRED,
          INVALID_SCAN_CALL_SEQ_ID,
          TABLET_NOT_FOUND,
          TABLET_NOT_RUNNING,
          TABLET_FAILED,
          WRONG_SERVER_UUID ->
          true;
      default -> false;
    };
  }

  static boolean isTimeout(Throwable failure) {
    return failure instanceof KuduException known && known.code() == StatusCode.TIMED_OUT;
  }

  static boolean isTransient(Throwable failure) {
    return failure instanceof KuduException known
        && (known.code() == StatusCode.NETWORK_ERROR
            || known.code() == StatusCode.SERVICE_UNAVAILABLE);
  }

  static boolean isBusy(Throwable failure) {
    return failure instanceof KuduException known && known.code() == StatusCode.SERVICE_UNAVAILABLE;
  }
}
