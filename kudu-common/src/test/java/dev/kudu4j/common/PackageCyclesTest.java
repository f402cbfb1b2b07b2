package dev.kudu4j.common;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Packages depend on each other in one direction only. */
@AnalyzeClasses(
    packages = "dev.kudu4j.common",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      PackageCyclesTest.WithoutGeneratedMessages.class
    })
final class PackageCyclesTest {
  /** The messages of {@code consensus} and {@code tserver} refer to each other, as on the wire. */
  static final class WithoutGeneratedMessages implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/dev/kudu4j/common/proto/");
    }
  }

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.kudu4j.common.(**)").should().beFreeOfCycles();
}
