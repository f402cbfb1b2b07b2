package dev.kudu4j.tserver;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Packages depend on each other in one direction only. */
@AnalyzeClasses(
    packages = "dev.kudu4j.tserver",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class PackageCyclesTest {
  /** The root package is a slice too. */
  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("dev.kudu4j.(**)").should().beFreeOfCycles();
}
